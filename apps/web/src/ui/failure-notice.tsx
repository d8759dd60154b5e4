import { useTexts } from '../lib/texts.tsx'
import { Notice } from './notice.tsx'
import { Reference } from './reference.tsx'

/** What a call was refused with, and by what it is found in documentation and log. Nothing while nothing failed. */
export function FailureNotice({ failure }: { readonly failure: unknown }) {
  const texts = useTexts()
  if (failure === undefined || failure === null) return null
  return (
    <Notice kind="error">
      {texts.failure(failure)}
      <Reference text={texts.reference(failure)} />
    </Notice>
  )
}
