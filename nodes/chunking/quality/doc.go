// Package quality measures how well a text was cut.
//
// A [Segmentation] says how many units (sentences) a text has and after which of
// them it is cut. The measures compare a proposed one with the true one; all lie
// in 0..1:
//
//   - [Pk] and [WindowDiff] are error rates, lower is better. Both slide a window
//     of half the mean true segment length over the text. Neither tells near
//     misses from bad ones well, and both are kind to segmenters that cut too
//     little, so they say little without a baseline beside them.
//   - [BoundarySimilarity] and [F1] are shares of agreement, higher is better.
//     They look at boundaries alone, so a text without proposed cuts scores 0.
//
// Baselines know nothing of the text: [None], [All], [Every] and [Random]. A
// segmenter that does not beat them has found nothing.
//
// [Scatter] is told the true number of segments, so it measures vectors rather than
// chunkers. Documents with their true segments come from [ReadChoi] and [ReadJSONL].
//
// Without true segments, [ChunkCounter] counts what can be seen in chunks alone, and
// [ScoreRetrieval], [PrecisionOmega] and [RecallWithin] say how well they answer
// questions whose answers are marked in the documents; [PackedControl] makes the
// chunks to compare with. Whatever the measure, [PairedBootstrap] says how certain the
// difference of two methods on the same texts or questions is.
package quality
