/**
 * What other apps of a device share with the installed page (W3C Web Share Target). The offline worker takes the request and keeps
 * the files on the device; the page of the same address asks where they go.
 */
export const INCOMING = {
  page: '/incoming',
  /** Of the browser's cache storage, one entry for each file: `/incoming/{name}?{order}`. */
  cache: 'godwit-incoming',
  /** The field of the files. */
  files: 'files',
  /** Fields of a shared text, by their name in the manifest. */
  fields: { title: 'title', text: 'text', url: 'url' },
  /** In the address of the page: the device had no room. */
  failed: 'failed',
} as const
