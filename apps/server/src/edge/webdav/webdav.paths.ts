import { AppError } from '../../kernel/errors.ts'

/** Where the tree begins. */
export const WEBDAV_PATH = '/dav'

/**
 * The names of a path below {@link WEBDAV_PATH}, each percent-decoded once.
 * @param rest as the request line has it, without the query
 * @throws AppError PATH_NOT_FOUND for what can be no name
 */
export function namesOf(rest: string): string[] {
  return rest
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      const name = decoded(part)
      if (name === undefined || name === '.' || name === '..' || /[/\0]/.test(name))
        throw new AppError('PATH_NOT_FOUND')
      return name
    })
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // Malformed percent-encoding names nothing.
  }
}

/** The address of an entry; folders end with a slash. */
export function hrefOf(names: readonly string[], isFolder: boolean): string {
  const path = [WEBDAV_PATH, ...names.map(encodeName)].join('/')
  return isFolder ? `${path}/` : path
}

/** Beyond encodeURIComponent() what clients stumble over. A lone surrogate, which no name of ours has, would not be encoded. */
export function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * The names of a Destination, or of a resource in If.
 * @param host of the request: another one is another server's
 * @returns undefined for what is not in this tree
 */
export function namesOfUrl(url: string, host: string | undefined): string[] | undefined {
  const path = pathOf(url, host)
  if (path === undefined || (path !== WEBDAV_PATH && !path.startsWith(`${WEBDAV_PATH}/`))) return undefined
  return namesOf(path.slice(WEBDAV_PATH.length))
}

/** The path as it was sent: parsing would resolve dots and change what is encoded. */
function pathOf(url: string, host: string | undefined): string | undefined {
  const match = /^(?:https?:\/\/([^/?#]+))?(\/[^?#]*)$/i.exec(url.trim())
  const [, authority, path] = match ?? []
  if (authority !== undefined && authority.toLowerCase() !== host?.toLowerCase()) return undefined
  return path
}
