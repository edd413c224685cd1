import { type Static, Type } from '@sinclair/typebox';

/** The Do Not Disturb list in force now. */
export const DndUpload = Type.Object({
  country: Type.String({ examples: ['NG'] }),
  numbers: Type.Integer({ description: 'Numbers on the list, duplicates counted once.' }),
});
export type DndUpload = Static<typeof DndUpload>;
