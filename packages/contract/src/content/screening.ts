/** Why a file is in quarantine (`recordType`): 0 is a virus, everything else a sensitive word. */
export const QUARANTINE_REASON = { virus: 0, sensitiveWord: 1 } as const

export function quarantineReason(recordType: number): keyof typeof QUARANTINE_REASON {
  return recordType === QUARANTINE_REASON.virus ? 'virus' : 'sensitiveWord'
}

/** What screening says about a file. `notScanned` always carries a reason and is never shown as clean. */
export const SCREENING_VERDICTS = ['clean', 'infected', 'sensitive', 'notScanned'] as const
export type ScreeningVerdict = (typeof SCREENING_VERDICTS)[number]
