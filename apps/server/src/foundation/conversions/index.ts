export { conversionsFeature } from './conversions.feature.ts'
export { MAX_CONVERTED_BYTES, type Conversions, type ConversionSource } from './conversions.ts'
export { filmFormat, type ConverterName } from './converters.ts'
