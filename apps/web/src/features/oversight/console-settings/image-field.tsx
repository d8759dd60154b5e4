import type { BrandingAsset, ImageFault } from '@godwit/contract'
import { errorSpec } from '@godwit/contract/errors/catalogue'
import { BRANDING_RULES, IMAGE_TYPES } from '@godwit/contract/foundation/branding'
import { ApiError } from '@godwit/contract/wire/api-error'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatSize } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import type { FormState } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import type { Field } from '../../../ui/form/index.ts'
import textStyles from '../../../ui/text-field.module.css'
import { imageFault, readImage } from './image-file.ts'
import styles from './image-field.module.css'

/** Shown where the site has no logo or icon of its own. */
export const SHIPPED_MARK = '/assets/godwit.svg'

/** A field for an image of the site. Its value is an address: the one in force, one that holds the chosen file, or '' for the shipped image. */
export function imageField(asset: BrandingAsset, texts: Texts): Field<string> {
  return {
    kind: 'custom',
    label: texts(`design.image.${asset}`),
    wire: asset,
    render: (form, error) => <ImageField asset={asset} form={form} error={error} />,
  }
}

interface ImageFieldProps {
  readonly asset: BrandingAsset
  readonly form: FormState<string>
  readonly error: string | undefined
}

function ImageField({ asset, form, error }: ImageFieldProps) {
  const texts = useTexts()
  const [fault, setFault] = useState<ImageFault>()
  const label = texts(`design.image.${asset}`)
  const value = form.values[asset] ?? ''
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const address = await readImage(file)
    const found = await imageFault(asset, file, address)
    setFault(found)
    if (found === undefined) form.set({ [asset]: address })
  }
  const said = fault === undefined ? error : texts.failure(refusedFor(fault))
  return (
    <div className={textStyles['field']} role="group" aria-label={label}>
      <span className={textStyles['label']}>{label}</span>
      <div
        className={styles['image']}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void take(event.dataTransfer.files[0])
        }}
      >
        <Shown asset={asset} value={value} />
        <div className={styles['choice']}>
          <FileButton accept={acceptOf(asset)} testId={`image-${asset}`} onChoose={(file) => void take(file)}>
            {texts('design.image.choose')}
          </FileButton>
          {value !== '' && (
            <Button
              onClick={() => {
                setFault(undefined)
                form.set({ [asset]: '' })
              }}
            >
              {texts('design.image.reset')}
            </Button>
          )}
        </div>
      </div>
      <p className={textStyles[said === undefined ? 'hint' : 'error']} role={fault === undefined ? undefined : 'alert'}>
        {said !== undefined && <CircleAlert size={14} aria-hidden="true" />}
        {said ?? hintOf(asset, texts)}
      </p>
    </div>
  )
}

/** The image as it is, on a ground that shows where it is not. */
function Shown({ asset, value }: { readonly asset: BrandingAsset; readonly value: string }) {
  const texts = useTexts()
  const isMark = asset === 'logo' || asset === 'icon'
  const shown = value === '' && isMark ? SHIPPED_MARK : value
  return (
    <div className={styles['shown']} data-testid={`shown-${asset}`}>
      {shown === '' ? <span>{texts('design.image.none')}</span> : <img src={shown} alt="" />}
    </div>
  )
}

function acceptOf(asset: BrandingAsset): string {
  return BRANDING_RULES[asset].types.map((type) => IMAGE_TYPES[type]).join()
}

function hintOf(asset: BrandingAsset, texts: Texts): string {
  const { types, maxPixels, maxBytes } = BRANDING_RULES[asset]
  const [width, height] = maxPixels
  return texts('design.image.hint', {
    types: types.map((type) => type.toUpperCase()).join(texts.locale === 'zh-CN' ? '、' : ', '),
    ...{ width, height, size: formatSize(maxBytes, texts.locale, 0) },
  })
}

/** What the server would answer, said before it is asked. */
function refusedFor(reason: ImageFault): ApiError {
  return new ApiError({ code: errorSpec('BRANDING_IMAGE_INVALID').wire, message: '', data: { reason } })
}
