/**
 * Refusals in French, German, Portuguese, Spanish, Italian, Russian and Chinese. The texts are lower
 * case without accents.
 */
const NOUN = String.raw`(?:utilisateur|destinataire|adresse|boite(?: aux lettres| mail)?|compte|benutzer|empfae?nger|post ?fach|mailbox|e-?mail-?konto|usuario|destinatario|caixa(?: postal| de correio)?|conta|endereco|buzon|casilla|cuenta|direccion|utente|casella|indirizzo)s?`;
const STATE = String.raw`(?:inconnue?|inexistante?|n['e ]{1,2}existe (?:pas|plus)|introuvable|invalide|non valide|desactivee?|archivee?|unbekannt|existiert (?:hier )?nicht|nicht (?:gefunden|vorhanden|bekannt|gue?ltig)|ungue?ltig|deaktiviert|desconhecid[oa]|desconocid[oa]|inexistente|n(?:a)?o existe|na?o (?:foi |fue |es )?(?:encontrad|valid)[oa]|invalid[oa]|desativad[oa]|desactivad[oa]|desabilitad[oa]|deshabilitad[oa]|inativ[oa]|inactiv[oa]|sconosciut[oa]|inesistente|non esiste|non (?:e )?(?:stat[oa] )?(?:trovat|valid)[oa]|disabilitat[oa])s?`;
const BEFORE = String.raw`(?:aucun|unbekannte[rsn]?|ungue?ltige[rsn]?|kein(?:e|en)?(?: solche[rsn]?)?|(?:na?o|non) (?:existe|esiste)(?: el| la| o| a| il| l')?|nenhum|ningun)`;
/** Some words may stand between, but no new sentence. */
const BETWEEN = String.raw`[ ,:'"-][^.;]{0,40}?\b`;

const MAILBOX = [
  new RegExp(String.raw`\b${NOUN}\b(?:${BETWEEN}|[ ,:'"-])${STATE}\b`),
  new RegExp(String.raw`\b${BEFORE} ?${NOUN}\b`),
  /(?:пользовател|ящик|получател|адресат|учетн\S{1,4} запис|аккаунт)[^.;]{0,40}(?:не существует|не наиден|не зарегистрирован|неизвест|отключен|удален)/,
  /(?:нет такого|неизвестн\S{1,3}|несуществующ\S{1,3}) (?:пользовател|получател|ящик|адресат)/,
  /(?:用户|用戶|收件人|邮箱|郵箱|信箱|[帐账]号|帳號|账户)[^,，。;；]{0,12}(?:不存在|未找到|找不到|无效|無效|未知|停用|注销|禁用)/,
  /(?:[无無]此|没有[该此]|未知|[无無]效)的?(?:用户|用戶|收件人|邮箱|郵箱|信箱|[帐账]号|帳號)/,
];
/** Senders, domains, servers, policies, content, or a state that passes. */
const OTHER =
  /\bip\b|expediteur|emetteur|\babsender|remetente|remitente|mittente|\bdomain|\bdominio|\bdomae?ne|\bserv(?:eur|idor|er)|\bpoliti(?:que|ca)|richtlinie|\brelais|\blist[aes]|\bcontenu|\bconteudo|\bcontenido|\binhalt|temporair|temporar|temporane|vorue?bergehend|\bplus tard|\bma(?:s|is) tarde|\bspae?ter|frequen|\blimit|\bvotre|\bihre?\b|отправител|спам|домен|сервер|политик|лимит|част|списо?к|времен|[发發]件|[发發]信|寄件|域名|垃圾|频率|頻率|限制|内容|內容|黑名单|稍后|稍後/;
const FULL = [
  new RegExp(String.raw`\b${NOUN}\b${BETWEEN}(?:pleine?|voll|chei[oa]|llen[oa]|pien[oa])\b`),
  /ящик[^.;]{0,40}переполнен|(?:邮箱|郵箱|信箱)[^,，。;；]{0,12}[满滿]/,
];

/** What the words speak of, where they are not English. */
export function languagesOf(words: string): { readonly mailbox: boolean; readonly full: boolean } {
  const plain = words.normalize('NFD').replaceAll(/[\u0300-\u036F]/g, '');
  const isMailbox = MAILBOX.some((pattern) => pattern.test(plain)) && !OTHER.test(plain);
  return { mailbox: isMailbox, full: FULL.some((pattern) => pattern.test(plain)) };
}
