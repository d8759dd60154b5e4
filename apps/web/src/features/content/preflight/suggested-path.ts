import { LIMITS } from '@godwit/contract/limits'
import { nameFault, normaliseName } from '@godwit/contract/names'

const utf8 = new TextEncoder()
const FORBIDDEN = /[\\:*?"<>|\p{Cc}]/gu

/** The nearest path whose names the server takes. */
export function allowedPath(path: string): string {
  return path.split('/').map(allowedName).join('/')
}

function allowedName(name: string): string {
  const wellFormed = normaliseName(name.toWellFormed())
  if (nameFault(wellFormed) === undefined) return wellFormed
  const bare = shortened(
    wellFormed
      .replace(FORBIDDEN, '_')
      .trim()
      .replace(/[. ]+$/, ''),
  )
  if (nameFault(bare) === undefined) return bare
  const marked = shortened(`_${bare}`)
  return nameFault(marked) === undefined ? marked : '_'
}

/** The beginning of the name and its extension. */
function shortened(name: string): string {
  const dot = name.lastIndexOf('.')
  const end = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  let letters = LIMITS.fileNameMax - end.length
  let bytes = LIMITS.fileNameMaxBytes - lengthOf(end)
  let kept = ''
  for (const letter of name.slice(0, name.length - end.length)) {
    letters -= 1
    bytes -= lengthOf(letter)
    if (letters < 0 || bytes < 0) return kept.trimEnd() + end
    kept += letter
  }
  return name
}

function lengthOf(text: string): number {
  return utf8.encode(text).length
}

/** `plan.txt` is `plan (1).txt`: a name beside one that differs in case only. */
export function pathBeside(path: string): string {
  const slash = path.lastIndexOf('/')
  const dot = path.lastIndexOf('.')
  const end = dot > slash + 1 ? dot : path.length
  return `${path.slice(0, end)} (1)${path.slice(end)}`
}
