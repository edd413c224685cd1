import { REASON_SENTENCES } from '../../../../libs/contracts/src/reason-sentences';
import { useLanguage } from '../texts';

const FRENCH: Record<keyof typeof REASON_SENTENCES, string> = {
  invalid_number: 'Le numéro ne peut pas être composé.',
  unsupported_number: 'Le numéro ne peut pas recevoir de SMS.',
  unknown_subscriber: 'Le numéro n’est pas attribué.',
  absent_subscriber: 'Le téléphone était éteint ou hors de portée.',
  handset_error: 'Le téléphone n’a pas pu prendre le message.',
  subscriber_barred: 'Le réseau interdit à l’abonné de recevoir des messages.',
  dnd_active: 'Le numéro figure sur un registre « ne pas déranger ».',
  opted_out: 'Le destinataire s’est désinscrit.',
  content_rejected: 'L’opérateur mobile a refusé le contenu.',
  sender_id_rejected: 'L’opérateur mobile a refusé l’expéditeur.',
  message_invalid: 'L’opérateur mobile ne peut pas transmettre ce message.',
  no_route: 'Aucun fournisseur ne dessert cette destination.',
  network_error: 'Le réseau a eu une panne passagère.',
  carrier_rejected: 'L’opérateur mobile a refusé le message.',
  throttled: 'L’opérateur mobile est surchargé.',
  provider_rejected: 'Le fournisseur a refusé le message.',
  provider_unavailable: 'Le fournisseur est indisponible.',
  provider_timeout: 'Le fournisseur n’a pas répondu.',
  expired: 'Le message n’a pas pu être remis à temps.',
  fraud_blocked: 'Le message a été bloqué : fraude présumée.',
  antispam_blocked: 'Le message a été bloqué par le filtre anti-spam.',
  all_providers_failed: 'Tous les fournisseurs ont refusé le message.',
  max_attempts_exceeded: 'Le code a été saisi trop souvent avec une erreur.',
  cancelled: 'Le message a été annulé.',
  unknown_error: 'L’opérateur mobile a donné une raison inconnue.',
};

/** Returns what a reason means, or the reason itself where it has no sentence. */
export function useReasons(): (reason: string) => string {
  const { language } = useLanguage();
  const sentences: Record<string, string> = language === 'fr' ? FRENCH : REASON_SENTENCES;
  return (reason) => sentences[reason] ?? reason;
}
