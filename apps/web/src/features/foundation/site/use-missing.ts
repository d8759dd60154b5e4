import {
  type EditionName,
  EDITIONS,
  type Feature,
  hasFeature,
  leastEditionWith,
} from '@godwit/contract/foundation/editions'
import { useSite } from './site.tsx'

/** Asks what the edition of the site lacks. @returns the least edition that has it; undefined where it is not missing */
export function useMissing(): (feature: Feature | null | undefined) => EditionName | undefined {
  const { edition } = useSite()
  return (feature) =>
    feature === null || feature === undefined || hasFeature(EDITIONS[edition], feature)
      ? undefined
      : leastEditionWith(feature)
}
