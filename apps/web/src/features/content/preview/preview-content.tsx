import { CircleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { leastEditionWith } from '@godwit/contract/foundation/editions'
import { ApiError } from '@godwit/contract/wire/api-error'
import { isFailure } from '../../../lib/http.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { LimitScreen } from '../../foundation/site/index.ts'
import { ImageView } from './image-view.tsx'
import { MediaView } from './media-view.tsx'
import { FactsView } from './facts-view.tsx'
import { Opening } from './opening.tsx'
import type { PreviewFile, ViewProps } from './view-props.ts'

const text = lazyModule(() => import('./text/text-view.tsx'))
const table = lazyModule(() => import('./text/table-view.tsx'))
const markdown = lazyModule(() => import('./text/markdown-view.tsx'))
const archive = lazyModule(() => import('./archive/archive-view.tsx'))
const sheet = lazyModule(() => import('./sheet/sheet-view.tsx'))
const office = lazyModule(() => import('./document/document-view.tsx'))
const pages = lazyModule(() => import('./pages/pages-view.tsx'))
const pdf = lazyModule(() => import('./pdf/pdf-view.tsx'))

const TextView = lazyPart(text, (module) => module.TextView, <Opening />)
const TableView = lazyPart(table, (module) => module.TableView, <Opening />)
const MarkdownView = lazyPart(markdown, (module) => module.MarkdownView, <Opening />)
const ArchiveView = lazyPart(archive, (module) => module.ArchiveView, <Opening />)
const SheetView = lazyPart(sheet, (module) => module.SheetView, <Opening />)
const DocumentView = lazyPart(office, (module) => module.DocumentView, <Opening />)
const PagesView = lazyPart(pages, (module) => module.PagesView, <Opening />)
const PdfView = lazyPart(pdf, (module) => module.PdfView, <Opening />)

export interface PreviewContentProps {
  readonly name: string
  readonly file: PreviewFile | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly onDownload: (() => void) | undefined
}

/** The file itself, or what stands in its place: on its way, refused, broken, nothing to look at. */
export function PreviewContent({ name, file, error, onRetry, onDownload }: PreviewContentProps) {
  const texts = useTexts()
  const [broken, setBroken] = useState<{ readonly error: unknown }>()
  const download = onDownload !== undefined && <Button onClick={onDownload}>{texts('action.download')}</Button>
  const failure = file === undefined ? error : broken?.error
  if (isFailure(failure, 'EDITION_FEATURE_MISSING'))
    return <LimitScreen level={2} page={texts('preview.limit')} edition={leastEditionWith('preview')} />
  if (failure !== undefined && failure !== null) {
    return (
      <Failure title={texts('preview.failed.title')} text={texts.failure(failure)} reference={texts.reference(failure)}>
        <Button
          onClick={() => {
            setBroken(undefined)
            onRetry()
          }}
        >
          {texts('common.retry')}
        </Button>
      </Failure>
    )
  }
  if (file === undefined) return <Opening name={name} />
  if (broken !== undefined) {
    return (
      <Failure title={texts('preview.failed.title')} text={texts('preview.failed.text')}>
        {download}
      </Failure>
    )
  }
  return (
    <View
      file={file}
      onBroken={(cause) => setBroken({ error: cause instanceof ApiError ? cause : undefined })}
      download={download}
    />
  )
}

function View({ download, ...props }: ViewProps & { readonly download: ReactNode }) {
  switch (props.file.view) {
    case 'image':
      return <ImageView {...props} />
    case 'video':
    case 'audio':
      return <MediaView {...props} />
    case 'pdf':
      return <PdfView {...props} />
    case 'pages':
      return <PagesView {...props} />
    case 'text':
      return <TextView {...props} />
    case 'markdown':
      return <MarkdownView {...props} />
    case 'table':
      return <TableView {...props} />
    case 'document':
      return <DocumentView {...props} />
    case 'sheet':
      return <SheetView {...props} />
    case 'archive':
      return <ArchiveView {...props} />
    case 'none':
      return <FactsView file={props.file} actions={download} />
  }
}

interface FailureProps {
  readonly title: string
  readonly text: string
  readonly reference?: string | undefined
  readonly children: ReactNode
}

function Failure({ title, text, reference, children }: FailureProps) {
  return (
    <StatePanel
      kind="error"
      icon={<CircleAlert size={32} />}
      title={title}
      text={text}
      reference={reference}
      actions={children}
    />
  )
}
