import type { SpaceMemberTransfer } from '@godwit/contract'
import { ON } from '../../../ui/form/index.ts'

export const WAYS = ['both', 'client', 'web'] as const
/** Whether the client keeps folders in sync, and when a changed file goes. */
export const SYNC_KINDS = ['off', 'change', 'rest'] as const
/** Whose filters hold: those of the next wider place, or some of one's own. */
export const FILTER_KINDS = ['site', 'own'] as const

export const FILTER_FIELDS = [
  'ways',
  'filterKind',
  'ignorePatterns',
  'ignoreAboveMb',
  'skipSameName',
  'lockFilters',
  'sync',
] as const
export type FilterField = (typeof FILTER_FIELDS)[number]
export type FilterValues = Readonly<Record<FilterField, string>>

export const NO_FILTERS: FilterValues = {
  ...{ ways: '', filterKind: 'site', ignorePatterns: '', ignoreAboveMb: '', skipSameName: '', lockFilters: '' },
  sync: '',
}

export function filterValuesOf(transfer: SpaceMemberTransfer): FilterValues {
  const { ways, ignorePatterns, ignoreAboveMb, skipSameName, lockFilters, sync } = transfer
  const isOwn = [ignorePatterns, ignoreAboveMb, skipSameName, lockFilters].some((value) => value !== null)
  return {
    ways: ways ?? '',
    filterKind: isOwn ? 'own' : 'site',
    ignorePatterns: ignorePatterns ?? '',
    ignoreAboveMb: ignoreAboveMb === null || ignoreAboveMb === 0 ? '' : String(ignoreAboveMb),
    skipSameName: skipSameName === true ? ON : '',
    lockFilters: lockFilters === true ? ON : '',
    sync: sync ?? '',
  }
}

export function filtersFrom(values: FilterValues): SpaceMemberTransfer {
  const isOwn = values.filterKind === 'own'
  return {
    ways: WAYS.find((each) => each === values.ways) ?? null,
    ignorePatterns: isOwn ? values.ignorePatterns.trim() : null,
    ignoreAboveMb: isOwn ? Number(values.ignoreAboveMb.trim()) : null,
    skipSameName: isOwn ? values.skipSameName === ON : null,
    lockFilters: isOwn ? values.lockFilters === ON : null,
    sync: SYNC_KINDS.find((each) => each === values.sync) ?? null,
  }
}

const MB_MAX = 2 ** 31 - 1

/** Whole megabytes; an empty field is no limit. */
export function isMegabytes(text: string): boolean {
  return text === '' || (/^\d{1,10}$/.test(text) && Number(text) <= MB_MAX)
}
