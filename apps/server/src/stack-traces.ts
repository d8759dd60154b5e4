import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Makes stack traces show files and lines of the sources instead of the bundle. Node can do so by itself
 * (`--enable-source-maps`), but reads the map at every start and keeps it, 9 MiB; here the first such trace that somebody looks
 * at reads it.
 * @param bundle path of the bundle; its map lies beside it
 */
export function traceSources(bundle: string): void {
  const place = `${pathToFileURL(bundle).href}:`
  let map: SourceMap | undefined
  const inSources = (site: string): string => {
    const at = site.indexOf(place)
    if (at < 0) return site
    map ??= readMap(`${bundle}.map`)
    const [position = '', line, column] = /^(\d+):(\d+)/.exec(site.slice(at + place.length)) ?? []
    const origin = map.findOrigin(Number(line), Number(column))
    if (!('fileName' in origin)) return site
    const source = pathToFileURL(path.join(path.dirname(bundle), origin.fileName)).href
    return site.replace(`${place}${position}`, `${source}:${origin.lineNumber}:${origin.columnNumber}`)
  }
  Error.prepareStackTrace = (error, sites) =>
    [String(error), ...sites.map(String).map((site) => `    at ${inSources(site)}`)].join('\n')
}

/** An empty map when there is none: whoever looks at a trace looks for another fault than this one. */
function readMap(file: string): SourceMap {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{"version":3,"sources":[],"names":[],"mappings":""}'
  return new SourceMap(JSON.parse(text) as SourceMapPayload)
}
