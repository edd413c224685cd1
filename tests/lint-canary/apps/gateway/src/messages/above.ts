export const above = true;
