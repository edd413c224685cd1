import { describe, expect, it } from '@jest/globals';
import { languagesOf } from './refusal-languages.js';
import { wordsOf } from './refusal-words.js';

describe('the words of a refusal that is not English', () => {
  it.each([
    'Adresse d au moins un destinataire invalide. OFR_416',
    "Cet utilisateur n'existe pas",
    'Boîte aux lettres inexistante',
    'Unbekannter Empfänger',
    'Postfach existiert nicht',
    'Usuário desconhecido',
    'Caixa postal não encontrada',
    'No existe el usuario',
    'Casella inesistente',
    'Пользователь не найден',
    '该用户不存在',
    '无此用户',
  ])('%s is about the mailbox', (text) => expect(wordsOf(`550 ${text}`).mailbox).toBe(true));

  it.each([
    "Adresse de l'expéditeur inconnue",
    'Absenderadresse existiert nicht',
    'Ihre IP-Adresse ist unbekannt',
    'Endereço do remetente inexistente',
    'Remitente desconocido',
    'Dominio inexistente',
    'Отправитель не найден',
    '发件人地址不存在',
    '域名不存在',
    'Usuario inexistente, mensaje rechazado por spam',
  ])('%s is not', (text) => expect(wordsOf(`550 ${text}`).mailbox).toBe(false));

  it.each(['boîte du destinataire pleine', 'caixa postal cheia', '邮箱已满'])(
    '%s is a full mailbox',
    (text) => expect(languagesOf(text)).toEqual({ mailbox: false, full: true }),
  );
});
