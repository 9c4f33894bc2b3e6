/** Says that a command waits because the API asked for a pause, and until when. */
export function pauseNotice(account: string, milliseconds: number): string {
  const end = new Date(Date.now() + milliseconds).toISOString().slice(11, 19);
  const seconds = Math.ceil(milliseconds / 1000);
  return `${account}: waiting ${seconds} s, until ${end} UTC, because the API reports too many calls`;
}
