import { routes } from '@godwit/contract/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { useRested } from '../../../lib/use-rested.ts'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { DrawnMail } from '../../content/preview/index.ts'
import { linkKeys } from './links-query.ts'

export interface LinkMailPreviewProps {
  readonly wanted: {
    readonly shareUrlType: 0 | 1
    /** Of what is shared. */
    readonly name: string
    readonly shareEmailContent: string
    readonly emailLanguage: 0 | 1
  }
}

/** The mail that the recipients would get, drawn anew when its language or its text changes. */
export function LinkMailPreview({ wanted }: LinkMailPreviewProps) {
  const { api } = useServices()
  const body = useRested(wanted)
  const { data, error } = useQuery({
    queryKey: [...linkKeys, 'mail-preview', body],
    queryFn: ({ signal }) => api.call(routes.links.previewMail, { body }, { signal }),
    retry: false,
    // The mail of before stands until the next one is there.
    placeholderData: keepPreviousData,
  })
  if (error !== null) return <FailureNotice failure={error} />
  return data === undefined ? null : <DrawnMail mail={data} />
}
