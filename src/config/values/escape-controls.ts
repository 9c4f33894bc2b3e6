/** Escapes what could control a terminal or disguise a text. A carriage return at the start or end belongs to a progress bar. */
export function escapeControls(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/(?!^\r|\r$)[^\P{Cc}\t\n]|[\p{Bidi_Control}\u2028\u2029]/gu, escaped);
}
