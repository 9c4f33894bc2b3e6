/** What is wrong with an account's name, which is a label and part of addresses; undefined where nothing is. */
export function accountNameComplaint(name: string): string | undefined {
  if (name === '') return 'is empty; write a name, such as shop';
  if (name.length > 100) return 'is longer than 100 characters; shorten it';
  if (name !== name.trim()) return 'begins or ends with a space; remove it';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return 'holds a character that can not be seen; remove it';
  return undefined;
}
