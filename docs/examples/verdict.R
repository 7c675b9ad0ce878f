# The verdict of `misstep compare` from a file of records, in base R:
#
#   misstep records logs --out records.csv
#   Rscript verdict.R records.csv MODEL direct cot
#
# One model, two arms, answers that are right or wrong (or scores from 0 to 1). With several
# comparisons misstep adjusts the ps by Holm; p.adjust(p, "holm") does the same.

arguments <- commandArgs(trailingOnly = TRUE)
file <- arguments[1]
who <- arguments[2]
baseline <- arguments[3]
arm <- arguments[4]
margin <- 3

records <- read.csv(file, stringsAsFactors = FALSE)
records <- records[records$who == who & records$arm %in% c(baseline, arm), ]
records$value[is.na(records$value)] <- 0 # no answer counts as wrong

# Repetitions are averaged within the item; items with answers in both arms are paired.
items <- aggregate(value ~ group + item + arm, data = records, FUN = mean)
pairs <- merge(items[items$arm == baseline, ], items[items$arm == arm, ], by = c("group", "item"))
difference <- pairs$value.y - pairs$value.x
n <- length(difference)
effect <- mean(difference)

# Groups are the independent units.
sums <- tapply(difference, pairs$group, sum)
sizes <- tapply(difference, pairs$group, length)
differing <- sums[abs(sums) > 1e-12]
is_single <- all(sizes == 1) && all(difference == round(difference))

if (length(differing) == 0) {
  p <- 1
} else if (is_single) {
  p <- binom.test(sum(difference > 0), length(differing))$p.value # McNemar's exact test
} else if (length(differing) <= 14) {
  signs <- as.matrix(expand.grid(rep(list(c(1, -1)), length(differing))))
  p <- mean(abs(signs %*% differing) >= abs(sum(differing)) - 1e-9)
} else {
  set.seed(0)
  flip <- function(draw) abs(sum(differing * sample(c(1, -1), length(differing), replace = TRUE)))
  extreme <- sum(vapply(seq_len(1e5), flip, 0) >= abs(sum(differing)) - 1e-9)
  p <- (1 + extreme) / (1 + 1e5)
}

# Cluster-robust standard error (CR2) of a mean, with t on groups - 1. For single items misstep
# takes Tango's score interval instead.
residuals <- sums - sizes * effect
error <- sqrt(sum(residuals^2 / (1 - sizes / n))) / n
freedom <- length(sums) - 1
reach <- qt(0.975, freedom) * error
equivalence_p <- max(
  pt((effect + margin / 100) / error, freedom, lower.tail = FALSE),
  pt((effect - margin / 100) / error, freedom)
)

verdict <- if (equivalence_p < 0.05) {
  "no meaningful difference"
} else if (p < 0.05) {
  if (effect < 0) "hurts" else "helps"
} else {
  "undecided"
}

cat(sprintf("effect %.10f\n", 100 * effect))
cat(sprintf("low %.10f\n", 100 * (effect - reach)))
cat(sprintf("high %.10f\n", 100 * (effect + reach)))
cat(sprintf("p %.12f\n", p))
cat(sprintf("verdict %s\n", verdict))
