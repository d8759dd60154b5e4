import type { ProviderProof } from '@godwit/contract'
import { PROVIDER_TEST_STEPS, type ProviderTestStep } from '@godwit/contract/identity/provider-types'
import { ApiError } from '@godwit/contract/wire/api-error'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import styles from './authentication.module.css'

/** How a test ended: with its proof, or at the step that failed. */
export type ProofOutcome = { readonly proof: ProviderProof } | { readonly failed: ProviderTestStep | undefined }

/** The step that an answer says has failed. */
export function failedStep(error: unknown): ProviderTestStep | undefined {
  return error instanceof ApiError ? PROVIDER_TEST_STEPS.find((step) => step === error.data['step']) : undefined
}

/** What a directory was asked to do, each with how it went, and whom the test account belongs to. */
export function ProofResult({ outcome }: { readonly outcome: ProofOutcome }) {
  const texts = useTexts()
  if ('failed' in outcome) {
    // Before the first step there was nothing to test.
    if (outcome.failed === undefined) return null
    return (
      <section className={styles['proof']} role="status">
        <h3>{texts('authentication.test.failed')}</h3>
        <ol>
          <li className={styles['failed']}>
            <CircleX size={16} aria-hidden="true" />
            {texts(`authentication.step.${outcome.failed}`)}
          </li>
        </ol>
      </section>
    )
  }
  const { steps, person } = outcome.proof
  return (
    <section className={styles['proof']} role="status">
      <h3>{texts('authentication.test.passed')}</h3>
      <ol>
        {steps.map(({ step, ms }) => (
          <li key={step} className={styles['passed']}>
            <CircleCheck size={16} aria-hidden="true" />
            {texts(`authentication.step.${step}`)}
            <span className={styles['outcome']}>{texts('authentication.step.ms', { ms })}</span>
          </li>
        ))}
      </ol>
      {person !== null && (
        <Facts
          title={texts('authentication.test.person')}
          facts={[
            { label: texts('authentication.attribute.account'), value: person.account },
            { label: texts('authentication.attribute.name'), value: person.name },
            { label: texts('authentication.attribute.email'), value: person.email },
            { label: texts('authentication.attribute.phone'), value: person.phone },
            { label: texts('authentication.attribute.department'), value: person.department },
          ]}
        />
      )}
    </section>
  )
}
