/** A cell as text. Dates of a workbook have no zone: they are shown as they were typed. @param value string, number, boolean, Date or nothing */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return ''
  const [day = '', time = ''] = value.toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`
}
