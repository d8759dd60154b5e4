import { linesField } from '../../console-kit/lines-field.tsx'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { momentOf, type RuleField, typesIn } from './rule-values.ts'
import type { UserField } from './user-values.ts'

/** As the contract bounds them. */
const LIST_MAX = 200
const PATTERN_MAX = 255
const ENDING_MAX = 64

/** What narrows the rights of an account, and when it can be used. */
export function ruleSchema(texts: Texts): Record<RuleField | 'validFrom' | 'validUntil', Field<UserField>> {
  return {
    forbiddenPaths: pathsField(texts, 'forbiddenPaths'),
    allowedPaths: pathsField(texts, 'allowedPaths'),
    deniedTypes: typesField(texts, 'deniedTypes'),
    allowedTypes: typesField(texts, 'allowedTypes'),
    uploadNewOnly: { kind: 'switch', label: texts('users.new-only'), hint: texts('users.new-only.hint') },
    validFrom: {
      kind: 'text',
      type: 'datetime-local',
      label: texts('users.valid-from'),
      hint: texts('users.valid-from.hint'),
      wire: 'validFrom',
    },
    validUntil: {
      kind: 'text',
      type: 'datetime-local',
      label: texts('users.valid-until'),
      hint: texts('users.valid-until.hint'),
      rule: (value, { validFrom }) =>
        (momentOf(value) ?? Infinity) > (momentOf(validFrom) ?? 0) ? undefined : texts('users.valid-until.rule'),
      errors: ['TIME_RANGE_INVALID'],
      wire: 'validUntil',
    },
  }
}

function pathsField(texts: Texts, name: 'forbiddenPaths' | 'allowedPaths'): Field<UserField> {
  return linesField<UserField>(name, {
    label: texts(`users.${name}`),
    hint: texts(`users.${name}.hint`),
    wire: `rules.${name}`,
    rule(lines) {
      if (lines.length > LIST_MAX) return texts('users.list-too-long', { max: LIST_MAX })
      const wrong = lines.find((line) => line.length > PATTERN_MAX || /^\/*$/.test(line))
      return wrong === undefined ? undefined : texts('users.paths.rule', { path: wrong.slice(0, 40) })
    },
  })
}

function typesField(texts: Texts, name: 'deniedTypes' | 'allowedTypes'): Field<UserField> {
  return {
    kind: 'text',
    label: texts(`users.${name}`),
    hint: texts(`users.${name}.hint`),
    wire: `rules.${name}`,
    maxLength: PATTERN_MAX,
    autoCapitalize: 'none',
    autoComplete: 'off',
    spellCheck: false,
    translate: 'no',
    rule(value) {
      const types = typesIn(value)
      if (types.length > LIST_MAX) return texts('users.list-too-long', { max: LIST_MAX })
      return types.some((type) => type.length > ENDING_MAX || /[/\\*?:"<>|]/.test(type))
        ? texts('users.types.rule')
        : undefined
    },
  }
}
