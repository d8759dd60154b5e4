import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import type { FormState } from '../../lib/use-form.ts'
import { FileButton } from '../../ui/file-button.tsx'
import type { Field } from '../../ui/form/index.ts'
import textStyles from '../../ui/text-field.module.css'
import styles from './console-kit.module.css'

export interface TextFileOptions extends Pick<Field<never>, 'isRequired' | 'errors' | 'wire'> {
  readonly label: string
  readonly hint: string
  /** Endings of the names of files that are offered, such as `.pem`. */
  readonly accept: string
  readonly maxBytes: number
}

/** A text that comes as a file: chosen, dropped or pasted. */
export function textFileField<Name extends string>(name: Name, options: TextFileOptions): Field<Name> {
  const { label, isRequired = false, errors, wire } = options
  return {
    kind: 'custom',
    label,
    isRequired: isRequired === true,
    ...(errors === undefined ? {} : { errors }),
    ...(wire === undefined ? {} : { wire }),
    render: (form, error) => <TextFileField form={form} name={name} error={error} {...options} />,
  }
}

interface TextFileFieldProps<Name extends string> extends TextFileOptions {
  readonly form: FormState<Name>
  readonly name: Name
  readonly error: string | undefined
}

function TextFileField<Name extends string>({ form, name, error, ...options }: TextFileFieldProps<Name>) {
  const { label, hint, accept, maxBytes, isRequired } = options
  const texts = useTexts()
  const { messages } = useServices()
  const id = useId()
  const { value, onChange, onBlur } = form.field(name)
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > maxBytes) messages.notify('error', texts('text-file.too-large', { name: file.name }))
    else form.set({ [name]: await file.text() } as Partial<Record<Name, string>>)
  }
  return (
    <div
      className={textStyles['field']}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer.files[0])
      }}
    >
      <div className={styles['file-head']}>
        <label className={textStyles['label']} htmlFor={id}>
          {label}
          {isRequired === true && (
            <span className={textStyles['required']} aria-hidden="true">
              {'*'}
            </span>
          )}
        </label>
        <FileButton accept={accept} testId={`file-${name}`} onChoose={(file) => void take(file)}>
          {texts('text-file.choose')}
        </FileButton>
      </div>
      <textarea
        id={id}
        name={name}
        className={`${textStyles['input']} ${styles['lines']} ${styles['file-text']}`}
        rows={6}
        translate="no"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        aria-required={isRequired === true ? true : undefined}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-note`}
      />
      <p className={textStyles[error === undefined ? 'hint' : 'error']} id={`${id}-note`}>
        {error !== undefined && <CircleAlert size={14} aria-hidden="true" />}
        {error ?? hint}
      </p>
    </div>
  )
}
