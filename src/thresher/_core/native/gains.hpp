// Discounted gains of the rows of a matrix: true relevances in the order of the scores, and in the best order.
#pragma once
#include <algorithm>

#include "kernels.hpp"
#include "workers.hpp"

namespace thresher::THRESHER_ISA {

constexpr size_t few_columns = 16, gain_cells = size_t{1} << 16;

struct Document {
    double score, relevance;
};

// From the highest score down; equal scores stay where they are.
static inline void rank_documents(Document* documents, size_t width) {
    std::stable_sort(documents, documents + width, [](const Document& a, const Document& b) { return a.score > b.score; });
}

// The gain of few documents: each is put where as many stand above it as score higher, without a branch to mispredict.
// Tied ones stay in order. Returns whether any tied.
static inline bool gain_of_few(const double* scores, const double* relevance, size_t width, const double* discounts, double& gain) {
    uint32_t rank[few_columns] = {};
    double ranked[few_columns] = {};
    bool tied = false;
    for (size_t i = 0; i < width; ++i)
        for (size_t j = i + 1; j < width; ++j) {
            const bool later_first = scores[j] > scores[i];
            rank[i] += later_first;
            rank[j] += !later_first;
            tied |= scores[j] == scores[i];
        }
    for (size_t i = 0; i < width; ++i) ranked[rank[i]] = relevance[i];
    double sum = 0;
    for (size_t i = 0; i < width; ++i) sum += ranked[i] * discounts[i];
    gain = sum;
    return tied;
}

// The gain of tied documents is the mean over their orders. Returns whether any tied.
static inline bool gain_of(const Document* documents, size_t width, const double* discounts, double& gain) {
    bool tied = false;
    double sum = 0;
    for (size_t i = 0; i < width;) {
        double relevance = documents[i].relevance, discount = discounts[i];
        size_t j = i + 1;
        for (; j < width && documents[j].score == documents[i].score; ++j) {
            relevance += documents[j].relevance;
            discount += discounts[j];
        }
        tied |= j > i + 1;
        sum += j > i + 1 ? relevance / static_cast<double>(j - i) * discount : relevance * discount;
        i = j;
    }
    gain = sum;
    return tied;
}

inline void gains(const double* relevance, const double* scores, size_t rows, size_t width, const double* discounts, int threads,
                  double* gain, double* best, uint8_t* tied) {
    const size_t chunk = gain_cells / (width ? width : 1) + 1;
    const bool few = width <= few_columns;
    parallel_try((rows + chunk - 1) / chunk, threads, [=](size_t part) {
        Block room(width * sizeof(Document));
        Document* const documents = room.as<Document>();
        for (size_t row = part * chunk; row < rows && row < (part + 1) * chunk; ++row) {
            const double *const own = relevance + row * width, *const by = scores + row * width;
            if (few) {
                gain_of_few(own, own, width, discounts, best[row]);
                tied[row] = gain_of_few(by, own, width, discounts, gain[row]);
                if (!tied[row]) continue;
            }
            for (size_t j = 0; j < width; ++j) documents[j] = {by[j], own[j]};
            rank_documents(documents, width);
            tied[row] = gain_of(documents, width, discounts, gain[row]);
            if (few) continue;
            for (size_t j = 0; j < width; ++j) documents[j] = {own[j], own[j]};
            rank_documents(documents, width);
            gain_of(documents, width, discounts, best[row]);
        }
    });
}

}  // namespace thresher::THRESHER_ISA
