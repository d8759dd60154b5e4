import { FileUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button, type ButtonKind } from './button.tsx'

export interface FileButtonProps {
  /** What may be chosen, as of the `accept` attribute. */
  readonly accept: string
  readonly onChoose: (file: File) => void
  /** Of the hidden input, for tests. */
  readonly testId: string
  readonly kind?: ButtonKind
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** Asks for one file. The same file may be chosen again after it was changed. */
export function FileButton({ accept, onChoose, testId, children, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        data-testid={testId}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) onChoose(file)
          target.value = ''
        }}
      />
      <Button {...button} onClick={() => input.current?.click()}>
        <FileUp size={18} aria-hidden="true" />
        {children}
      </Button>
    </>
  )
}
