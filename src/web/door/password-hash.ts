export { hash as hashPassword } from 'bcryptjs';

/** Maximum number of bytes. bcrypt ignores all further bytes. */
const maxPasswordLength = 72;

export function validatePassword(password: string): string | undefined {
  if (password === '') return 'the password is empty; write one';
  if (/[\r\n]/.test(password)) return 'the password has more than one line; write only the password';
  if (password.includes('\0')) return 'the password contains a null character; remove it';
  const length = Buffer.byteLength(password);
  if (length <= maxPasswordLength) return undefined;
  return `the password has ${length} bytes, of which bcrypt uses only ${maxPasswordLength}; shorten it`;
}
