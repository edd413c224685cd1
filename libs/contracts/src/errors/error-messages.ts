import { BALANCE_MAX } from '../rpc/billing-calls.js';
import type { ErrorText } from './error-catalogue.js';
import { KEY_MESSAGES } from './key-messages.js';
import { SESSION_MESSAGES } from './session-messages.js';

/**
 * Sentences that say more than the default text of the error type: one function each, in every
 * language. Names of fields, settings and headers are the same in all languages.
 */
const text = (en: string, fr: string): ErrorText => ({ en, fr });

export const ERROR_MESSAGES = {
  ...KEY_MESSAGES,
  ...SESSION_MESSAGES,
  bodyTooLarge: text('The body is too large.', 'Le corps est trop grand.'),
  bodyNotUtf8: text('The body is not valid UTF-8.', 'Le corps n’est pas de l’UTF-8 valide.'),
  bodyEmpty: text(
    'The body is empty; send a JSON object.',
    'Le corps est vide ; envoyez un objet JSON.',
  ),
  bodyNotJson: text('The body is not valid JSON.', 'Le corps n’est pas du JSON valide.'),
  bodyOfOtherLength: text(
    'The body is not as long as Content-Length says.',
    'Le corps n’a pas la longueur qu’annonce Content-Length.',
  ),
  unsupportedType: (types: readonly string[] = ['application/json']) =>
    text(
      `Send the body as Content-Type: ${types.join(' or ')}.`,
      `Envoyez le corps avec Content-Type: ${types.join(' ou ')}.`,
    ),
  compressedBody: text(
    'Send the body as it is, without a Content-Encoding.',
    'Envoyez le corps tel quel, sans Content-Encoding.',
  ),
  headersTooLarge: text(
    'The request headers are too large.',
    'Les en-têtes de la requête sont trop grands.',
  ),
  requestTooSlow: text(
    'The request took too long to arrive.',
    'La requête a mis trop de temps à arriver.',
  ),
  malformed: text('The request is malformed.', 'La requête est mal formée.'),
  noRoute: (method: string, path: string) =>
    text(`No route: ${method} ${path}.`, `Aucune route : ${method} ${path}.`),
  methodNotAllowed: (allow: readonly string[]) =>
    text(
      `The method is not allowed here; use ${allow.join(' or ')}.`,
      `Cette méthode n’est pas permise ici ; utilisez ${allow.join(' ou ')}.`,
    ),
  busy: text(
    'The service is busy. Retry with backoff.',
    'Le service est occupé. Réessayez en espaçant les tentatives.',
  ),
  testBytesFull: (mebibytes: number) =>
    text(
      `The contents of this workspace’s test emails fill their ${mebibytes} MiB. Each is deleted a day after its email.`,
      `Les contenus des e-mails de test de cet espace de travail remplissent leurs ${mebibytes} Mio. Chacun est supprimé un jour après son e-mail.`,
    ),
  trialBytesFull: (mebibytes: number) =>
    text(
      `The contents of this workspace’s emails fill the ${mebibytes} MiB of a trial. Those of test emails are deleted after a day; a purchase of credits ends the trial.`,
      `Les contenus des e-mails de cet espace de travail remplissent les ${mebibytes} Mio d’un essai. Ceux des e-mails de test sont supprimés après un jour ; un achat de crédits met fin à l’essai.`,
    ),
  storedBytesFull: (bytes: number) =>
    text(
      `The contents of this workspace’s live emails fill the ${bytes} bytes that the operator set (stored_bytes_max). Each is deleted 30 days after its email.`,
      `Les contenus des e-mails réels de cet espace de travail remplissent les ${bytes} octets fixés par l’opérateur (stored_bytes_max). Chacun est supprimé 30 jours après son e-mail.`,
    ),
  otpStillProcessed: text(
    'The one-time password is still being processed. Retry in a moment.',
    'Le code à usage unique est encore en cours de traitement. Réessayez dans un instant.',
  ),
  otpNotSentYet: text(
    'No provider has accepted the one-time password yet; it is still being sent.',
    'Aucun opérateur n’a encore accepté le code à usage unique ; l’envoi est en cours.',
  ),
  resendsUsedUp: text(
    'The one-time password was sent again as often as the workspace allows.',
    'Le code à usage unique a été renvoyé aussi souvent que l’espace de travail le permet.',
  ),
  keyInFlight: text(
    'A request with this Idempotency-Key is still being processed.',
    'Une requête avec cette Idempotency-Key est encore en cours de traitement.',
  ),
  antiSpamBlocks: text(
    'Anti-spam would block this text: accepted, then never delivered, and refunded.',
    'L’anti-spam bloquerait ce texte : accepté, puis jamais remis, et remboursé.',
  ),
  antiSpamTags: text(
    'Anti-spam would tag this text in metadata, and deliver it.',
    'L’anti-spam signalerait ce texte dans metadata, et le remettrait.',
  ),
  antiSpamUnknown: text(
    'Anti-spam is unavailable; the text is checked when it is sent.',
    'L’anti-spam est indisponible ; le texte est vérifié à l’envoi.',
  ),
  countryNotEnabled: (countryCode: string) =>
    text(
      `The destination country ${countryCode} is not enabled for this workspace.`,
      `Le pays de destination ${countryCode} n’est pas activé pour cet espace de travail.`,
    ),
  noOperator: text(
    'This needs the operator token or the session of an operator.',
    'Il faut le jeton d’opérateur ou la session d’un opérateur.',
  ),
  noSession: text(
    'There is no session, or it has ended. Log in.',
    'Il n’y a pas de session, ou elle est terminée. Connectez-vous.',
  ),
  csrfToken: text(
    'X-CSRF-Token must be the csrf_token of this session.',
    'X-CSRF-Token doit être le csrf_token de cette session.',
  ),
  ownersOnly: text(
    'Only an owner of the workspace may do this.',
    'Seul un propriétaire de l’espace de travail peut le faire.',
  ),
  operatorsSetting: (setting: string) =>
    text(
      `settings.${setting} can be changed by the operator only.`,
      `Seul l’opérateur peut changer settings.${setting}.`,
    ),
  belowFloor: (setting: string, floor: string) =>
    text(
      `The operator set settings.${setting} to ${floor}. You can only be stricter.`,
      `L’opérateur a mis settings.${setting} à ${floor}. Vous pouvez seulement être plus strict.`,
    ),
  wrongLogIn: text(
    'The email address or the password is wrong.',
    'L’adresse e-mail ou le mot de passe est erroné.',
  ),
  wrongCurrentPassword: text('current_password is wrong.', 'current_password est erroné.'),
  badPasswordReset: text(
    'reset_token is unknown, used or expired. Request a new one.',
    'reset_token est inconnu, utilisé ou expiré. Demandez-en un nouveau.',
  ),
  noPlatformEmail: text(
    'This platform sends no email to users. Ask the operator.',
    'Cette plateforme n’envoie pas d’e-mail aux utilisateurs. Adressez-vous à l’opérateur.',
  ),
  badConfirmation: text(
    'confirmation_token is unknown, used or expired. Log in and request a new email.',
    'confirmation_token est inconnu, utilisé ou expiré. Connectez-vous et demandez un nouvel e-mail.',
  ),
  alreadyConfirmed: text(
    'The email address is confirmed already.',
    'L’adresse e-mail est déjà confirmée.',
  ),
  lastOwner: text(
    'A workspace needs an owner. Invite another owner first.',
    'Un espace de travail doit avoir un propriétaire. Invitez-en d’abord un autre.',
  ),
  keysOfMember: (count: number) =>
    text(
      `Live API keys that this member made and that still work: ${count}. Add keys=revoke or keys=keep.`,
      `Clés d’API réelles que ce membre a créées et qui fonctionnent encore : ${count}. Ajoutez keys=revoke ou keys=keep.`,
    ),
  signUpClosed: text('Sign-up is closed.', 'Les inscriptions sont fermées.'),
  signUpByInvitation: text(
    'Sign-up needs an invitation. Ask the operator for an invitation_token.',
    'L’inscription exige une invitation. Demandez un invitation_token à l’opérateur.',
  ),
  confirmationNeeded: text(
    'The workspace is not confirmed yet. Follow the link in the confirmation email, or ask the operator.',
    'L’espace de travail n’est pas encore confirmé. Suivez le lien reçu par e-mail, ou adressez-vous à l’opérateur.',
  ),
  noWorkspaceLeft: text(
    'This account belongs to no workspace. Ask an owner for an invitation.',
    'Ce compte n’appartient à aucun espace de travail. Demandez une invitation à un propriétaire.',
  ),
  foreignOrigin: text(
    'Origin must be the address of this API.',
    'Origin doit être l’adresse de cette API.',
  ),
  protectedSenderId: text(
    'sender_id is a protected name. It needs an approved registration.',
    'sender_id est un nom protégé. Il exige un enregistrement approuvé.',
  ),
  accountExists: text(
    'This email address already has an account. Log in instead.',
    'Un compte existe avec cette adresse e-mail ; connectez-vous.',
  ),
  foreignWorkspace: text(
    'workspace_id is not one of your workspaces.',
    'workspace_id n’est pas l’un de vos espaces de travail.',
  ),
  tooManyWebhooks: (max: number) =>
    text(
      `A workspace has at most ${max} webhooks. Delete one first.`,
      `Un espace de travail a au plus ${max} webhooks. Supprimez-en un d’abord.`,
    ),
  tooManyTrialWebhooks: (max: number) =>
    text(
      `A trial workspace has at most ${max} webhooks. Delete one first; a purchase of credits ends the trial.`,
      `Un espace de travail d’essai a au plus ${max} webhooks. Supprimez-en un d’abord ; un achat de crédits met fin à l’essai.`,
    ),
  webhookIsDisabled: text(
    'The webhook is disabled. Set its status to "enabled" first.',
    'Le webhook est désactivé. Mettez d’abord son statut à « enabled ».',
  ),
  recoveryRunning: text(
    'A recovery of this webhook is still running.',
    'Une reprise de ce webhook est encore en cours.',
  ),
  recoveryTooOld: (days: number) =>
    text(
      `since is more than ${days} days ago. Events are kept for ${days} days.`,
      `since remonte à plus de ${days} jours. Les événements sont conservés ${days} jours.`,
    ),
  noWebhook: text('The workspace has no webhook.', 'L’espace de travail n’a pas de webhook.'),
  webhookDisabled: text(
    'The webhook is disabled. Put it again first.',
    'Le webhook est désactivé. Enregistrez-le à nouveau.',
  ),
  sendAtForm: text(
    'send_at must be an RFC 3339 time with an offset, for example "2026-12-01T09:00:00+01:00".',
    'send_at doit être une date RFC 3339 avec décalage, par exemple "2026-12-01T09:00:00+01:00".',
  ),
  sendAtPast: text(
    'send_at is in the past. Leave it out to send now.',
    'send_at est dans le passé. Omettez-le pour envoyer maintenant.',
  ),
  sendAtTooLate: (days: number) =>
    text(
      `send_at must be at most ${days} days ahead.`,
      `send_at doit être dans les ${days} jours au plus.`,
    ),
  sendAtOfItem: text(
    'send_at belongs to the batch, not to an item.',
    'send_at concerne le lot, pas un élément.',
  ),
  quoteIdOfItem: text(
    'quote_id belongs to a single send, not to an item of a batch.',
    'quote_id concerne un envoi seul, pas un élément d’un lot.',
  ),
  emailHandedOver: text(
    'A copy of the email is already handed over, or the email has ended; it cannot be cancelled.',
    'Une copie de l’e-mail est déjà remise, ou l’e-mail est terminé ; il ne peut pas être annulé.',
  ),
  domainExists: text(
    'The workspace has this domain already.',
    'L’espace de travail a déjà ce domaine.',
  ),
  tooManyDomains: (limit: number) =>
    text(
      `A workspace has at most ${limit} domains.`,
      `Un espace de travail a au plus ${limit} domaines.`,
    ),
  complaintStays: text(
    'The recipient complained about an email. Only an operator can delete this suppression.',
    'Le destinataire s’est plaint d’un e-mail. Seul un exploitant peut supprimer cette entrée.',
  ),
  countryNotAsked: (country: string) =>
    text(
      `The sender ID was not requested for ${country}.`,
      `L’identifiant d’expéditeur n’a pas été demandé pour ${country}.`,
    ),
  senderIdOfEmail: text(
    'sender_id belongs to a number, not to an email address.',
    'sender_id concerne un numéro, pas une adresse e-mail.',
  ),
  smsHandedOver: text(
    'The message is already with a carrier, or has ended; it cannot be cancelled.',
    'Le message est déjà chez un opérateur, ou terminé ; il ne peut pas être annulé.',
  ),
  badDndLine: (line: number) =>
    text(
      `Line ${line} is not a number in E.164, for example +2348031234567.`,
      `La ligne ${line} n’est pas un numéro E.164, par exemple +2348031234567.`,
    ),
  dndLineElsewhere: (line: number, country: string) =>
    text(
      `Line ${line} is not a number of ${country}.`,
      `La ligne ${line} n’est pas un numéro de ${country}.`,
    ),
  smsStillProcessed: text(
    'The message is still being processed. Retry in a moment.',
    'Le message est encore en cours de traitement. Réessayez dans un instant.',
  ),
  unknownTemplate: text(
    'No SMS template has this slug or id.',
    'Aucun modèle de SMS n’a ce slug ou cet identifiant.',
  ),
  renderedTooLong: (characters: number, limit: number) =>
    text(
      `template renders to ${characters} characters; at most ${limit} are allowed.`,
      `template donne ${characters} caractères ; ${limit} au plus sont permis.`,
    ),
  senderNotApproved: text(
    'This sender ID is not approved in the destination country.',
    'Cet identifiant d’expéditeur n’est pas approuvé dans le pays de destination.',
  ),
  brandOutsideGsm7: (brand: string, segments: number) =>
    text(
      `"${brand}" has letters outside of GSM-7, so one-time passwords are sent in UCS-2 and take up to ${segments} ` +
        `${segments === 1 ? 'segment' : 'segments'} each.`,
      `« ${brand} » contient des lettres hors GSM-7 ; les codes à usage unique partent donc en UCS-2 et occupent ` +
        `jusqu’à ${segments} ${segments === 1 ? 'segment' : 'segments'} chacun.`,
    ),
  optedOut: text(
    'The recipient has opted out of messages from this sender.',
    'Le destinataire s’est désabonné des messages de cet expéditeur.',
  ),
  senderShortfall: (missing: number, needed: number) =>
    text(
      `Sender IDs are open to workspaces that bought ${needed} credits; buy ${missing} more.`,
      `Les identifiants d’expéditeur exigent ${needed} crédits achetés ; il en manque ${missing}.`,
    ),
  senderExists: text(
    'The workspace has this sender ID already.',
    'L’espace de travail a déjà cet identifiant d’expéditeur.',
  ),
  tooManySenders: (limit: number) =>
    text(
      `A workspace has at most ${limit} sender IDs.`,
      `Un espace de travail a au plus ${limit} identifiants d’expéditeur.`,
    ),
  senderDecided: text(
    'The sender ID is no longer pending, so it cannot be changed.',
    'L’identifiant d’expéditeur n’est plus en attente et ne peut pas être modifié.',
  ),
  reviewedTextsFixed: text(
    'A country is decided, so registered_entity, use_case and sample_message stay as they are.',
    'Un pays est décidé : registered_entity, use_case et sample_message restent tels quels.',
  ),
  countryDecided: text(
    'A country that is already decided cannot be taken out.',
    'Un pays déjà décidé ne peut pas être retiré.',
  ),
  illegalReview: (country: string, from: string, to: string) =>
    text(
      `The review of ${country} is ${from}; it cannot become ${to}.`,
      `L’examen de ${country} est ${from} ; il ne peut pas devenir ${to}.`,
    ),
  tooManyTemplates: (limit: number) =>
    text(
      `A workspace has at most ${limit} templates.`,
      `Un espace de travail a au plus ${limit} modèles.`,
    ),
  slugTaken: text(
    'Another template of the workspace has this slug.',
    'Un autre modèle de l’espace de travail a ce slug.',
  ),
  malformedTemplate: text(
    'body has "{{" that begins no placeholder; write {{name}} with letters, digits and _.',
    'body contient « {{ » sans variable ; écrivez {{name}} avec lettres, chiffres et _.',
  ),
  tooManyVariables: (limit: number) =>
    text(`body has more than ${limit} placeholders.`, `body contient plus de ${limit} variables.`),
  balanceTooHigh: text(
    `The balance and the credits bought in total may be at most ${BALANCE_MAX}.`,
    `Le solde et le total des crédits achetés ne peuvent dépasser ${BALANCE_MAX}.`,
  ),
  balanceTooLow: text('The balance is too low for this.', 'Le solde est insuffisant pour cela.'),
  callbackForged: text(
    'The signature of the callback is missing or wrong.',
    'La signature du rappel est absente ou erronée.',
  ),
  providerHasNoAccount: text(
    'This installation takes no payments through this provider.',
    'Cette installation n’accepte pas de paiement par ce prestataire.',
  ),
  providerCannotSave: text(
    'Manual payments cannot save an authorisation. Choose another provider.',
    'Un paiement manuel ne peut pas enregistrer d’autorisation. Choisissez un autre prestataire.',
  ),
  paymentRefused: (failure: string) =>
    text(
      `The payment provider refused the payment: ${failure}.`,
      `Le prestataire de paiement a refusé le paiement : ${failure}.`,
    ),
  providerUnanswered: text(
    'The payment provider did not answer. Retry with the same Idempotency-Key.',
    'Le prestataire de paiement n’a pas répondu. Réessayez avec la même Idempotency-Key.',
  ),
  tooManyPending: (max: number) =>
    text(
      `The workspace has ${max} pending payments. Pay one of them, or wait until one expires.`,
      `L’espace de travail a ${max} paiements en attente. Payez-en un, ou attendez qu’un autre expire.`,
    ),
  notAgreed: text(
    'The saved payment method belongs to another owner, who has not agreed to this.',
    'Le moyen de paiement enregistré appartient à un autre propriétaire, qui n’y a pas consenti.',
  ),
  noAuthorisation: text(
    'Save a payment method first: create a payment with save_authorisation.',
    'Enregistrez d’abord un moyen de paiement : créez un paiement avec save_authorisation.',
  ),
  capBelowCredits: text(
    'monthly_cap_credits must be at least credits.',
    'monthly_cap_credits doit être au moins égal à credits.',
  ),
  providerConfirms: text(
    'Only manual payments are confirmed by operators.',
    'Seuls les paiements manuels sont confirmés par un opérateur.',
  ),
};
