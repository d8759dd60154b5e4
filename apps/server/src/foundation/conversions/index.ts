export { conversionsFeature } from './conversions.feature.ts'
export { MAX_CONVERTED_BYTES, type Conversions, type ConversionSource } from './conversions.ts'
export type { ConverterName } from './converters.ts'
