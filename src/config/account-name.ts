/** Why a text is not an account name, which is a label value and part of URLs; undefined if it is. */
export function validateAccountName(name: string): string | undefined {
  if (name === '') return 'is empty; write a name, such as shop';
  if (name.length > 100) return 'is longer than 100 characters; shorten it';
  if (name !== name.trim()) return 'starts or ends with a space; remove it';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return 'contains an invisible character; remove it';
  return undefined;
}
