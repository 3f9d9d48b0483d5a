/** Whether an id is one that the API gives an instruction, which has no name: 32 hexadecimal digits. */
export const isApiId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
