import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patched, type Attributes, type Part, type Resource } from './scim.patch.ts'
import { patchOf } from './testing/requests.ts'

const ATTRIBUTES: Attributes = {
  title: { name: 'title', kind: 'one' },
  name: { name: 'name', kind: 'parts', parts: ['givenName', 'familyName'] },
  emails: { name: 'emails', kind: 'many', parts: ['value', 'type'] },
  photos: { name: 'photos', kind: 'ignored' },
  id: { name: 'id', kind: 'fixed' },
}

const TYPES = ['work', 'home', 'other'] as const
const PARTS = ['givenName', 'familyName'] as const
const word = fc.constantFrom('a', 'b', 'c', 'd')
const type = fc.constantFrom(...TYPES)
const op = fc.constantFrom('add', 'replace', 'Add', 'Replace')

/** What the model knows: a title, two parts of a name, and at most one address of each type. */
interface Model {
  readonly title?: string
  readonly name: Readonly<Record<string, string>>
  readonly emails: Readonly<Record<string, string>>
}

interface Change {
  readonly operation: object
  readonly model: (before: Model) => Model
}

const without = (held: Readonly<Record<string, string>>, key: string) =>
  Object.fromEntries(Object.entries(held).filter(([name]) => name !== key))

/** Each way to say a change, with what it does to the model. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(op, word).map(([name, value]): Change => ({
    operation: { op: name, path: 'Title', value },
    model: (before) => ({ ...before, title: value }),
  })),
  fc.constant<Change>({
    operation: { op: 'Remove', path: 'title' },
    model: ({ title: _title, ...rest }) => rest,
  }),
  fc.tuple(op, fc.constantFrom(...PARTS), word).map(([name, part, value]): Change => ({
    operation: { op: name, path: `name.${part}`, value },
    model: (before) => ({ ...before, name: { ...before.name, [part]: value } }),
  })),
  fc.tuple(op, word, word).map(([name, title, familyName]): Change => ({
    operation: { op: name, value: { title, 'name.familyName': familyName, id: '1', photos: [] } },
    model: (before) => ({ ...before, title, name: { ...before.name, familyName } }),
  })),
  fc.tuple(op, type, word).map(([name, of, value]): Change => ({
    operation: { op: name, path: `emails[type eq "${of}"].value`, value },
    model: (before) => ({ ...before, emails: { ...before.emails, [of]: value } }),
  })),
  type.map((of): Change => ({
    operation: { op: 'remove', path: `emails[type eq "${of}"]` },
    model: (before) => ({ ...before, emails: without(before.emails, of) }),
  })),
  fc.tuple(type, word).map(([of, value]): Change => ({
    operation: { op: 'replace', path: 'emails', value: [{ type: of, value, primary: true }] },
    model: (before) => ({ ...before, emails: { [of]: value } }),
  })),
)

function shown(resource: Resource): Model {
  const { title, name, emails } = resource as { title?: string; name?: Part; emails?: readonly Part[] }
  return {
    ...(title === undefined ? {} : { title }),
    name: Object.fromEntries(Object.entries(name ?? {}).map(([part, value]) => [part, String(value)])),
    emails: Object.fromEntries((emails ?? []).map((each) => [String(each['type']), String(each['value'])])),
  }
}

describe('PATCH', () => {
  it('does what a plain model does, whichever way a change is written', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const after = patched({}, patchOf(...changes.map(({ operation }) => operation)), ATTRIBUTES)
        expect(shown(after)).toEqual(changes.reduce((model, { model: next }) => next(model), { name: {}, emails: {} }))
      }),
    )
  })

  it('leaves what it was given alone, and writes nothing but the attributes that there are', () => {
    const before: Resource = { name: { givenName: 'Mei' }, emails: [{ type: 'work', value: 'a' }] }
    const held = structuredClone(before)
    const value = JSON.parse('{"name":{"__proto__":{"a":1},"middleName":"x"},"__proto__":{"b":1}}') as object
    const after = patched(before, patchOf({ op: 'add', value }, { op: 'add', path: 'photos', value: 'x' }), ATTRIBUTES)
    expect([before, after]).toEqual([held, held])
    expect('a' in {} || 'b' in {}).toBe(false)
  })

  it.each([
    ['SCIM_BODY_INVALID', { op: 'move', path: 'title' }],
    ['SCIM_BODY_INVALID', { op: 'add', value: 'x' }],
    ['SCIM_PATH_INVALID', { op: 'add', path: 'absent', value: 'x' }],
    ['SCIM_PATH_INVALID', { op: 'add', path: 'constructor.prototype', value: 'x' }],
    ['SCIM_PATH_INVALID', { op: 'add', path: 'title[value eq "x"]', value: 'x' }],
    ['SCIM_PATH_INVALID', { op: 'add', path: 'emails[value co "x"].value', value: 'x' }],
    ['SCIM_PATH_INVALID', { op: 'remove' }],
    ['SCIM_READ_ONLY', { op: 'replace', path: 'id', value: '1' }],
    ['SCIM_VALUE_INVALID', { op: 'replace', path: 'title', value: { a: 1 } }],
    ['SCIM_VALUE_INVALID', { op: 'replace', path: 'emails', value: [1] }],
  ])('is refused with %s: %j', (code, operation) => {
    expect(() => patched({}, patchOf(operation), ATTRIBUTES)).toThrow(expect.objectContaining({ code }) as Error)
  })
})
