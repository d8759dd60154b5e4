import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../steps.ts'

/**
 * What the templates of the chart use of Helm's language, and no more: `if`, `if not`, `range` over a map, values with `quote` or
 * `toJson`. Anything else throws, so that the chart stays within what a test can read.
 */

type Scope = Readonly<Record<string, unknown>>

/** @param file in deploy/helm/godwit/templates */
export function renderTemplate(file: string, scope: Scope): string {
  const text = readFileSync(join(ROOT, 'deploy/helm/godwit/templates', file), 'utf8')
  const parts = text
    // A dash takes the white space beside it.
    .replaceAll(/\s*\{\{-/g, '{{')
    .split(/(\{\{.*?\}\})/)
  const { output, rest } = renderParts(parts, scope)
  if (rest.length > 0) throw new Error(`${file}: an end without a beginning`)
  return output
}

function renderParts(parts: readonly string[], scope: Scope): { output: string; rest: readonly string[] } {
  let output = ''
  let left = parts
  while (left.length > 0) {
    const [part = '', ...after] = left
    left = after
    const inside = /^\{\{\s*(.*?)\s*\}\}$/.exec(part)?.[1]
    if (inside === undefined) output += part
    else if (inside === 'end') return { output, rest: left }
    else if (/^(if|range) /.test(inside)) {
      const scopes = inside.startsWith('if ') ? scopesOfIf(inside, scope) : scopesOfRange(inside, scope)
      // Read once even where it is left out, to find its end.
      const rest = renderParts(left, scopes[0] ?? scope).rest
      for (const each of scopes) output += renderParts(left, each).output
      left = rest
    } else output += valueOf(inside, scope)
  }
  return { output, rest: [] }
}

function scopesOfIf(inside: string, scope: Scope): Scope[] {
  const [, not, path = ''] = /^if (not )?(\S+)$/.exec(inside) ?? []
  const isTrue = Boolean(lookUp(path, scope))
  return isTrue === (not === undefined) ? [scope] : []
}

function scopesOfRange(inside: string, scope: Scope): Scope[] {
  const [, name = '', value = '', path = ''] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(inside) ?? []
  return Object.entries(lookUp(path, scope) as Scope).map(([key, each]) => ({ ...scope, [name]: key, [value]: each }))
}

function valueOf(inside: string, scope: Scope): string {
  const [, path = '', filter] = /^(\S+)(?: \| (quote|toJson))?$/.exec(inside) ?? []
  const value = lookUp(path, scope)
  return filter === undefined ? String(value) : JSON.stringify(value)
}

/** @throws Error for what is not there */
function lookUp(path: string, scope: Scope): unknown {
  if (path.startsWith('$')) return scope[path]
  let value: unknown = scope
  for (const name of path.slice(1).split('.')) {
    if (typeof value !== 'object' || value === null || !(name in value)) throw new Error(`there is no ${path}`)
    value = (value as Scope)[name]
  }
  return value
}
