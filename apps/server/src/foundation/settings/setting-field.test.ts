import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { colour, email, line, link, oneOf, onOff, version, whole } from './schemas.ts'
import { settingField } from './setting-field.ts'

describe('the field of a setting', () => {
  it.each<[string, z.ZodType, object]>([
    ['a switch', onOff(1), { kind: 'switch', choices: [] }],
    ['a number with its bounds', whole(1, 9).default(6), { kind: 'number', min: 1, max: 9 }],
    ['a choice', oneOf([0, 1, 2], 2), { kind: 'choice', choices: [0, 1, 2] }],
    ['a line', line(64).default('Godwit'), { kind: 'text', format: null, maxLength: 64 }],
    ['a color', colour('#FD5C1F'), { kind: 'text', format: 'color' }],
    ['an address', link(256), { kind: 'text', format: 'url', maxLength: 256 }],
    ['an e-mail address', email(256), { kind: 'text', format: 'email', maxLength: 256 }],
    ['a version', version(), { kind: 'text', format: 'version' }],
    ['a word', z.enum(['a', 'b']).default('a'), { kind: 'text', format: null }],
  ])('of %s follows its schema', (_, schema, field) => {
    expect(settingField(schema)).toMatchObject(field)
  })
})
