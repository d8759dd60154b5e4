import { basename } from 'node:path'

/** What lists call an upload. */
export function uploadName([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? basename(first) : `${basename(first)} (+${more.length})`
}
