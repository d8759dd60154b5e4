import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { FILTER_KINDS, type FilterField, isMegabytes, SYNC_KINDS, WAYS } from './filter-values.ts'

const PATTERNS_MAX = 4096

export interface FilterFieldsOptions {
  readonly texts: Texts
  /** What "own filters" are called here. */
  readonly own: string
}

/** Ways of transfer, and what is left out. */
export function filterFields<Name extends string>({
  texts,
  own,
}: FilterFieldsOptions): Record<FilterField, Field<Name | FilterField>> {
  const inherited = { value: '', label: texts('users.as-site') }
  const isInherited = ({ filterKind }: Readonly<Record<FilterField, string>>): boolean => filterKind !== 'own'
  return {
    ways: {
      kind: 'select',
      label: texts('users.ways'),
      choices: [inherited, ...WAYS.map((value) => ({ value, label: texts(`users.ways.${value}`) }))],
    },
    filterKind: {
      kind: 'select',
      label: texts('users.filters'),
      hint: texts('users.filters.hint'),
      choices: FILTER_KINDS.map((value) => ({ value, label: value === 'own' ? own : texts('users.filters.site') })),
    },
    ignorePatterns: {
      kind: 'text',
      label: texts('users.ignorePatterns'),
      hint: texts('users.ignorePatterns.hint'),
      isHidden: isInherited,
      wire: 'transfer.ignorePatterns',
      maxLength: PATTERNS_MAX,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      translate: 'no',
    },
    ignoreAboveMb: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('users.ignoreAboveMb'),
      hint: texts('users.ignoreAboveMb.hint'),
      isHidden: isInherited,
      rule: (value) => (isMegabytes(value.trim()) ? undefined : texts('users.ignoreAboveMb.rule')),
      wire: 'transfer.ignoreAboveMb',
      autoComplete: 'off',
    },
    skipSameName: {
      kind: 'switch',
      label: texts('users.skipSameName'),
      hint: texts('users.skipSameName.hint'),
      isHidden: isInherited,
    },
    lockFilters: { kind: 'switch', label: texts('users.lockFilters'), isHidden: isInherited },
    sync: {
      kind: 'select',
      label: texts('users.sync'),
      hint: texts('users.sync.hint'),
      wire: 'transfer.sync',
      errors: ['EDITION_FEATURE_MISSING'],
      choices: [inherited, ...SYNC_KINDS.map((value) => ({ value, label: texts(`users.sync.${value}`) }))],
    },
  }
}
