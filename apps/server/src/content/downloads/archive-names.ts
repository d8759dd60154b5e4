import { createHash } from 'node:crypto'
import { nameFault } from '@godwit/contract'

/**
 * A name that every system can unpack and none takes for a path or a device: what the rule for new names would refuse is
 * replaced. Only an administrator can have made such a name, as `C:evil.txt`. A tag of the real name keeps two apart.
 */
export function archiveName(name: string): string {
  if (nameFault(name.normalize('NFC')) === undefined) return name
  const tag = createHash('sha256').update(name).digest('hex').slice(0, 6)
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 && name.length - dot <= 32 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const safe = (text: string): string => text.replaceAll(/[\\/:*?"<>|\p{Cc}\u2028\u2029]/gu, '_').replace(/[. ]+$/, '_')
  // The tag stands behind the stem, so that a device's name is none any more; names of 255 bytes must still fit.
  return `${cutTo(safe(stem), 200)}~${tag}${safe(extension)}`
}

function cutTo(text: string, bytes: number): string {
  const characters = [...text]
  while (Buffer.byteLength(characters.join('')) > bytes) characters.pop()
  return characters.join('')
}
