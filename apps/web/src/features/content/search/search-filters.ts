import type { SearchKind, SearchScope } from '@godwit/contract'

/** What a person chose besides the text. Empty texts are filters that are off. */
export interface SearchChoice {
  readonly scope: SearchScope
  readonly kind: SearchKind | ''
  readonly size: SizeRange | ''
  readonly age: Age | ''
  /** Look for the text in documents as well. */
  readonly inContents: boolean
}

export const SCOPES: readonly SearchScope[] = ['here', 'below', 'everywhere']
export const KINDS: readonly SearchKind[] = ['folder', 'image', 'video', 'audio', 'document', 'archive']

const MiB = 1024 * 1024

/** Bytes, both included. */
const SIZE_RANGES = {
  small: { maxSize: MiB - 1 },
  medium: { minSize: MiB, maxSize: 100 * MiB - 1 },
  large: { minSize: 100 * MiB, maxSize: 1024 * MiB - 1 },
  huge: { minSize: 1024 * MiB },
} as const

export type SizeRange = keyof typeof SIZE_RANGES
export const SIZES: readonly SizeRange[] = ['small', 'medium', 'large', 'huge']

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const

export type Age = keyof typeof DAYS
export const AGES: readonly Age[] = ['day', 'week', 'month', 'year']

export function isFiltered({ kind, size, age }: Pick<SearchChoice, 'kind' | 'size' | 'age'>): boolean {
  return kind !== '' || size !== '' || age !== ''
}

/** @param now Unix milliseconds */
export function filtersOf({ kind, size, age }: Pick<SearchChoice, 'kind' | 'size' | 'age'>, now: number) {
  return {
    ...(kind === '' ? {} : { kind }),
    ...(size === '' ? {} : SIZE_RANGES[size]),
    ...(age === '' ? {} : { changedAfter: Math.floor(now / 1000) - DAYS[age] * 86_400 }),
  }
}
