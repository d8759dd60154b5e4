/** Without those that look like others when somebody reads them out or types them from paper. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'

/** Letters for a password that people pass on. */
export function randomLetters(count: number): string {
  const picks = crypto.getRandomValues(new Uint32Array(count))
  return Array.from(picks, (pick) => LETTERS[pick % LETTERS.length]).join('')
}
