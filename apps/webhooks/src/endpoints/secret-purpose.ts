/** Purpose of the key ring that encrypts webhook secrets. */
export const SECRET_PURPOSE = 'watchword/webhook-secret';
