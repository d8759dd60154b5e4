import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameFault, normaliseName, type NameFault } from './names.ts'

const NAUGHTY = JSON.parse(
  readFileSync(new URL('../../testkit/src/fixtures/blns.json', import.meta.url), 'utf8'),
) as readonly string[]

/** Any UTF-16 text, lone surrogates and controls included, and texts near the edges of the rule. */
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.constantFrom('con', 'NUL', 'Com1', '.', '..', '.godwit', 'a'), fc.stringMatching(/^[ a.:\\/]{0,4}$/))
    .map((parts) => parts.join('')),
)

describe('name of a file or folder', () => {
  it.each<[string, NameFault]>([
    ['', 'empty'],
    ['   ', 'empty'],
    ['\u00a0\u2003', 'empty'],
    ...[...'\\/:"*?<>|'].map((char): [string, NameFault] => [`a${char}b`, 'forbidden-character']),
    ['a::$DATA', 'forbidden-character'],
    ['../etc', 'forbidden-character'],
    ['..\\windows', 'forbidden-character'],
    ['nul\u0000byte', 'control-character'],
    ['line\nbreak', 'control-character'],
    ['tab\there', 'control-character'],
    ['\u001b[31mred', 'control-character'],
    ['del\u007f', 'control-character'],
    ['next\u0085line', 'control-character'],
    ['para\u2029graph', 'control-character'],
    ['high\ud800', 'malformed-unicode'],
    ['\udc00low', 'malformed-unicode'],
    ['.', 'dot-name'],
    ['..', 'dot-name'],
    ['...', 'trailing-dot-or-space'],
    ['report.', 'trailing-dot-or-space'],
    ['report ', 'trailing-dot-or-space'],
    ['CON', 'windows-reserved'],
    ['con.txt', 'windows-reserved'],
    ['PRN', 'windows-reserved'],
    ['aux.tar.gz', 'windows-reserved'],
    ['Nul', 'windows-reserved'],
    ['nul .txt', 'windows-reserved'],
    ['COM1', 'windows-reserved'],
    ['com9.log', 'windows-reserved'],
    ['COM¹', 'windows-reserved'],
    ['LPT1.txt', 'windows-reserved'],
    ['CONIN$', 'windows-reserved'],
    ['.godwit', 'reserved-by-product'],
    ['.GodWit-parts', 'reserved-by-product'],
    ['a'.repeat(256), 'too-long'],
    ['文'.repeat(86), 'too-long'],
  ])('refuses %j as %s', (name, fault) => {
    expect(nameFault(name)).toBe(fault)
  })

  it.each([
    'a',
    'a'.repeat(255),
    '文'.repeat(85),
    ' leading space',
    '~',
    '.hidden',
    '..%2f',
    '%00',
    '%252e',
    '／．．',
    '\u202egpj.exe',
    'zero\u200bwidth',
    'soft\u00adhyphen',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{20000}\u{2a6df}',
    '-rf',
    '--help',
    '$(reboot)',
    '`id`',
    "quote'",
    '=cmd',
    '+1',
    '@SUM',
    '{{7-7}}',
    '${x}',
    '__proto__',
    'constructor',
    'toString',
    'name.part',
    'name.tmp',
    'desktop.ini',
    '.htaccess',
    'web.config',
    'COM10',
    'console',
    'auxiliary.txt',
    'PROGRA~1',
  ])('accepts %j as it is', (name) => {
    expect(nameFault(normaliseName(name))).toBeUndefined()
    expect(normaliseName(name)).toBe(name.normalize('NFC'))
  })

  it('is the same whether it arrives composed or decomposed', () => {
    expect(normaliseName('e\u0301te\u0301')).toBe('\u00e9t\u00e9')
    expect(normaliseName('\u212aelvin')).toBe('Kelvin')
  })

  it('keeps a broken name as it is, so that the rule sees and refuses it', () => {
    expect(normaliseName('e\u0301\ud800')).toBe('e\u0301\ud800')
    expect(nameFault(normaliseName('e\u0301\ud800'))).toBe('malformed-unicode')
  })

  it('judges every text without throwing, and what it accepts survives NFC, UTF-8, JSON and an address', () => {
    fc.assert(
      fc.property(anyName, (raw) => {
        const name = normaliseName(raw)
        if (nameFault(name) !== undefined) return
        expect(normaliseName(name)).toBe(name)
        expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new TextEncoder().encode(name))).toBe(
          name,
        )
        expect(JSON.parse(JSON.stringify(name))).toBe(name)
        expect(decodeURIComponent(encodeURIComponent(name))).toBe(name)
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255)
      }),
      { numRuns: 10_000 },
    )
  })

  it('is never a way out of its folder', () => {
    fc.assert(
      fc.property(anyName, (raw) => {
        const name = normaliseName(raw)
        if (nameFault(name) !== undefined) return
        expect(name.split(/[\\/]/)).toEqual([name])
        expect(['.', '..']).not.toContain(name.trim())
        expect(name).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        expect(name.isWellFormed()).toBe(true)
      }),
      { numRuns: 10_000 },
    )
  })

  it('is judged alike for every naughty string, before and after normalising', () => {
    expect(NAUGHTY).toHaveLength(525)
    const accepted = NAUGHTY.map(normaliseName).filter((name) => nameFault(name) === undefined)
    expect(accepted.filter((name) => nameFault(normaliseName(name)) !== undefined)).toEqual([])
    // Most of the list is markup and paths, which separators and quotes rule out; the rest stays usable.
    expect(accepted).toHaveLength(196)
    expect(accepted).toContain('undefined')
  })
})
