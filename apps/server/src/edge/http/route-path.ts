/**
 * Parameters of a path, each percent-decoded once.
 * @param segments of a route, `:name` for parameters; `*` at the end takes all that is left, undecoded
 * @returns undefined when it is another route's
 */
export function matchSegments(
  segments: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  if (segments.at(-1) === '*' && parts.length >= segments.length) {
    const fixed = segments.slice(0, -1)
    params['*'] = parts.slice(fixed.length).join('/')
    const matched = matchSegments(fixed, parts.slice(0, fixed.length))
    return matched && { ...matched, ...params }
  }
  if (segments.length !== parts.length) return undefined
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== part) return undefined
      continue
    }
    const value = decode(part)
    if (value === undefined || value === '') return undefined
    params[segment.slice(1)] = value
  }
  return params
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // Malformed percent-encoding names no route.
  }
}
