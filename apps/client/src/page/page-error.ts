import { type ErrorName, errorSpec } from '@godwit/contract/errors/catalogue'

/** What the page is refused with; it shows the text of its number in the language of its reader. */
export class PageError extends Error {
  readonly code: number
  readonly status: number

  constructor(name: ErrorName, options?: ErrorOptions) {
    super(name, options)
    const { wire, status = 400 } = errorSpec(name)
    this.code = wire
    this.status = status
  }
}
