import { STORAGE_PROBE_STEPS, type StorageProbeStep } from '@godwit/contract/foundation/storage-types'
import { ApiError } from '@godwit/contract/wire/api-error'
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import type { StorageProof } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './storages.module.css'

/** How a test ended: every step with its time, or the step that failed. */
export type ProbeOutcome = { readonly steps: StorageProof['steps'] } | { readonly failed: StorageProbeStep | undefined }

/** The step that an answer says has failed. */
export function failedStep(error: unknown): StorageProbeStep | undefined {
  return error instanceof ApiError ? STORAGE_PROBE_STEPS.find((step) => step === error.data['step']) : undefined
}

/** What a storage was asked to do, each with how it went. */
export function ProbeResult({ outcome }: { readonly outcome: ProbeOutcome }) {
  const texts = useTexts()
  const failedAt = 'failed' in outcome ? STORAGE_PROBE_STEPS.findIndex((step) => step === outcome.failed) : Infinity
  // Before the first step there was nothing to test.
  if (failedAt === -1) return null
  return (
    <section className={styles['probe']} role="status">
      <h3>{texts(failedAt === Infinity ? 'storages.test.passed' : 'storages.test.failed')}</h3>
      <ol>
        {STORAGE_PROBE_STEPS.map((step, at) => {
          const [Icon, state] = at < failedAt ? PASSED : at === failedAt ? FAILED : SKIPPED
          const ms = 'steps' in outcome ? outcome.steps.find((each) => each.step === step)?.ms : undefined
          return (
            <li key={step} className={styles[state]}>
              <Icon size={16} aria-hidden="true" />
              <span>{texts(`storages.step.${step}`)}</span>
              <span className={styles['outcome']}>
                {ms === undefined ? texts(`storages.step-${state}`) : texts('storages.step.ms', { ms })}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const PASSED = [CircleCheck, 'passed'] as const
const FAILED = [CircleX, 'failed'] as const
const SKIPPED = [CircleMinus, 'skipped'] as const
