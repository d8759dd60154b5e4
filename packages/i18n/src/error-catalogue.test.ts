import { readFileSync } from 'node:fs'
import { ERRORS, errorByWire, errorSpec, type ErrorName } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { detailedErrors as enDetailed } from './en-us/detailed-errors.ts'
import { errors as enErrors } from './en-us/errors.ts'
import { placeholders } from './placeholders.ts'
import { detailedErrors as zhDetailed } from './zh-cn/detailed-errors.ts'
import { errors as zhErrors } from './zh-cn/errors.ts'

const NAMES = Object.keys(ERRORS) as ErrorName[]

interface DocLine {
  readonly name: string
  readonly cells: readonly string[]
}

const DOC = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\|\s*[A-Z][A-Z0-9_]+\s*\|/.test(line))
  .map((line): DocLine => {
    const [name = '', ...cells] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim())
    return { name, cells }
  })

describe('error catalogue', () => {
  it('has a text in both languages and a line in docs/errors.md for each code, and nothing besides', () => {
    const names = NAMES.toSorted()
    expect(Object.keys(enErrors).toSorted()).toEqual(names)
    expect(Object.keys(zhErrors).toSorted()).toEqual(names)
    expect(DOC.map(({ name }) => name).toSorted()).toEqual(names)
  })

  it.each(DOC)('documents $name as it is', ({ name, cells }) => {
    const { wire, status = 400, retry } = errorSpec(name as ErrorName)
    const [number, http, advice, meaning = '', action = ''] = cells
    expect([number, http, advice]).toEqual([String(wire), String(status), retry])
    expect(meaning).toMatch(/^.{10,}\.$/)
    expect(action).toMatch(/^.{10,}\.$/)
    expect(cells).toHaveLength(5)
  })

  it('gives each code a number of its own, found again by its number', () => {
    expect(new Set(NAMES.map((name) => errorSpec(name).wire)).size).toBe(NAMES.length)
    expect(NAMES.map((name) => errorByWire(errorSpec(name).wire))).toEqual(NAMES)
    expect(NAMES.map((name) => errorSpec(name).wire)).not.toContain(1037)
    expect(NAMES.map((name) => errorSpec(name).wire)).not.toContain(200)
  })
})

describe('error texts', () => {
  // A text made from the name alone says nothing that the name does not say.
  const fromName = (name: string): string => name.toLowerCase().replaceAll('_', ' ')

  it.each(NAMES)('%s is a sentence in both languages', (name) => {
    expect(enErrors[name]).toMatch(/^[A-Z][^{}]*\.$/)
    expect(zhErrors[name]).toMatch(/^[^{}]*\p{Script=Han}[^{}]*。$/u)
    expect(enErrors[name].toLowerCase().replace('.', '')).not.toBe(fromName(name))
    expect(enErrors[name]).not.toMatch(/\p{Script=Han}/u)
    expect(enErrors[name].length).toBeLessThanOrEqual(160)
    expect(zhErrors[name].length).toBeLessThanOrEqual(100)
  })

  it('differ from code to code', () => {
    expect(new Set(Object.values(enErrors)).size).toBe(NAMES.length)
    expect(new Set(Object.values(zhErrors)).size).toBe(NAMES.length)
  })

  it('keep the house style of Chinese: 登录, 其他, 你, a space between Han and Latin or digits', () => {
    const faults = [...Object.values(zhErrors), ...Object.values(zhDetailed)].filter((text) =>
      /登陆|其它|您|！|\p{Script=Han}[A-Za-z0-9{]|[A-Za-z0-9}]\p{Script=Han}|[,;!?]\p{Script=Han}/u.test(text),
    )
    expect(faults).toEqual([])
  })

  it('with numbers exist in both languages with the same placeholders', () => {
    expect(Object.keys(zhDetailed).toSorted()).toEqual(Object.keys(enDetailed).toSorted())
    for (const name of Object.keys(enDetailed) as ErrorName[]) {
      const english = placeholders(enDetailed[name] ?? '')
      expect(english.length).toBeGreaterThan(0)
      expect(placeholders(zhDetailed[name] ?? '').toSorted()).toEqual(english.toSorted())
    }
  })
})
