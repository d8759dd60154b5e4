/**
 * Parameters of a path, each percent-decoded once.
 * @param segments of a route, `:name` for parameters
 * @returns undefined when it is another route's
 */
export function matchSegments(
  segments: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined
  const params: Record<string, string> = {}
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
