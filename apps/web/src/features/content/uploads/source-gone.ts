/** The file on this computer cannot be read any more. */
export class SourceGone extends Error {
  constructor(options?: ErrorOptions) {
    super('the source file cannot be read', options)
    this.name = 'SourceGone'
  }
}
