/** Makes the program one that analyses songs for another, which has started it; nobody types it. */
export const ENGINE_COMMAND = 'engine';
