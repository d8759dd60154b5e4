/** The server must not start on what it found. The message names the fault and its cure, for the operator's eyes only. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
