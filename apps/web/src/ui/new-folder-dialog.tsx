import { nameFault, normaliseName } from '@godwit/contract/names'
import { useRef, useState } from 'react'
import { useTexts } from '../lib/texts.tsx'
import { useCloseIfShown } from '../lib/use-is-shown.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'

export interface NewFolderProps {
  readonly isTaken: (name: string) => boolean
  /** @throws what the server answers */
  readonly onCreate: (name: string) => Promise<void>
  readonly onClose: () => void
}

const UNLOCK_MS = 300
/** A name that is too long is refused with the reason; a field that stops taking characters would cut it silently. */
export const NO_LIMIT = undefined

/** The default name is filled in and selected with the first focus, which the dialog gives when it is there; the button stays locked while the call runs and 300 ms after a failure. */
export function NewFolderDialog({ isTaken, onCreate, onClose }: NewFolderProps) {
  const texts = useTexts()
  const close = useCloseIfShown(onClose)
  const [name, setName] = useState(() => freeName(texts('new-folder.default'), isTaken))
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const ref = useRef<HTMLInputElement>(null)
  const wanted = normaliseName(name)
  const fault = nameFault(wanted)
  const error =
    fault !== undefined
      ? texts.nameFault(fault)
      : isTaken(wanted)
        ? texts('rename.exists')
        : failure === undefined
          ? undefined
          : texts.failure(failure)
  const submit = async (): Promise<void> => {
    if (isBusy || fault !== undefined || isTaken(wanted)) return
    setBusy(true)
    try {
      await onCreate(wanted)
      close()
    } catch (thrown) {
      setFailure(thrown)
      setTimeout(() => setBusy(false), UNLOCK_MS)
    }
  }
  return (
    <Dialog
      title={texts('new-folder.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      initialFocus={ref}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={isBusy} onClick={() => void submit()}>
            {texts('new-folder.submit')}
          </Button>
        </>
      }
    >
      <Form onSubmit={() => void submit()}>
        <TextField
          ref={ref}
          label={texts('new-folder.label')}
          required
          maxLength={NO_LIMIT}
          value={name}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setName(event.target.value)
            setFailure(undefined)
          }}
          error={error}
        />
      </Form>
    </Dialog>
  )
}

function freeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base
  for (let number = 1; isTaken(name) && number < 1000; number++) name = `${base} (${number})`
  return name
}
