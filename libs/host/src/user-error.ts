/** Something the person at the keyboard can mend: shown as this one line, without a stack. */
export class UserError extends Error {}
